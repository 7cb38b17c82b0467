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

// claims beside their document: a claim's passages are lit while one points at it or is in it, and
// the other way round; a claim stays lit until another one is

function light(numbers) {
  const isOf = (said) => said.split(" ").some((each) => numbers.includes(each));
  for (const claim of document.querySelectorAll("[data-claim]")) {
    claim.classList.toggle("lit", numbers.includes(claim.dataset.claim));
  }
  for (const mark of document.querySelectorAll(".source mark")) {
    mark.classList.toggle("lit", isOf(mark.dataset.claims));
    mark.classList.toggle("told", isOf(mark.dataset.differing));
  }
}

function lookAt(target) {
  const claim = target.closest?.("[data-claim]"), mark = target.closest?.(".source mark");
  if (claim) {
    light([claim.dataset.claim]);
    const lit = document.querySelector(".source mark.lit"), source = lit?.closest(".source");
    if (source && source.scrollHeight > source.clientHeight) { // and never the page
      const above = lit.getBoundingClientRect().top - source.getBoundingClientRect().top;
      source.scrollTop += above - source.clientHeight / 3;
    }
  } else if (mark) light(mark.dataset.claims.split(" "));
}

document.addEventListener("pointerover", (event) => lookAt(event.target));
document.addEventListener("focusin", (event) => lookAt(event.target));
document.addEventListener("keydown", (event) => {
  const links = [...document.querySelectorAll(".claims .where")], at = links.indexOf(event.target);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at < 0 || !step || !links[at + step]) return;
  event.preventDefault();
  links[at + step].focus();
});
