// What pages do beyond links and forms; everything works without it, too.
"use strict";

document.addEventListener("submit", (event) => {
  // a form that was sent is not sent again by a second click, and its button says what is done
  const button = event.submitter;
  if (!button || (event.target.method !== "post" && !button.dataset.working)) return;
  setTimeout(() => {
    button.dataset.sent = document.activeElement === button ? "focused" : "";
    button.disabled = true;
    if (!button.dataset.working) return;
    button.dataset.idle = button.textContent;
    button.textContent = button.dataset.working;
  }, 0);
});

function rest(part) {
  const sent = "form[method=post] button:disabled, button[data-idle]";
  for (const button of part.querySelectorAll(sent)) {
    button.disabled = false;
    if (button.dataset.sent && document.activeElement === document.body) button.focus();
    if (!button.dataset.idle) continue;
    button.textContent = button.dataset.idle;
    delete button.dataset.idle;
  }
}

addEventListener("pageshow", () => rest(document));
document.addEventListener("htmx:afterRequest", (event) => rest(event.target));

document.addEventListener("keydown", (event) => {
  // one key for each answer, and one for the guidelines, wherever nobody writes
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select")) return;
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not(:disabled)`);
  if (target) target.click();
});
