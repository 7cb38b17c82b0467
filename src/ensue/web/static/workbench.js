// What pages do beyond links and forms; everything works without it, too.
"use strict";

document.addEventListener("submit", (event) => {
  // a form that was sent is not sent again by a second click
  const button = event.submitter;
  if (!button || event.target.method !== "post") return;
  setTimeout(() => { button.disabled = true; }, 0);
});

addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("form[method=post] button:disabled")) {
    button.disabled = false;
  }
});
