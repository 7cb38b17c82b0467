// What pages do beyond links and forms; everything works without it, too.
"use strict";

// a form that was sent is not sent again by a second click, and its button says what is done; the
// button is not disabled for that, since it would lose the focus
const SENT = "aria-disabled";

document.addEventListener("submit", (event) => {
  const form = event.target, button = event.submitter;
  if (!button || (form.method !== "post" && !button.dataset.working)) return;
  if (form.querySelector(`button[${SENT}]`)) {
    event.preventDefault();
    event.stopPropagation(); // also from htmx, which listens at the form itself
    return;
  }
  button.setAttribute(SENT, "true");
  if (!button.dataset.working) return;
  button.dataset.idle = button.textContent;
  button.textContent = button.dataset.working;
}, true);

function rest(part) {
  for (const button of part.querySelectorAll(`button[${SENT}]`)) {
    button.removeAttribute(SENT);
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
  document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});
