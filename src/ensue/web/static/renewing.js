// Parts of pages that are renewed by htmx: where the focus goes, what is said aloud, what went wrong.
"use strict";

(() => {
  const said = document.createElement("p");
  said.className = "unseen";
  said.setAttribute("role", "status");
  document.body.append(said);

  function say(text) { said.textContent = text.trim().replace(/\s+/g, " "); }

  function show(notice, sender) {
    document.querySelector("[data-problem]")?.remove();
    notice.dataset.problem = "";
    (sender.closest("form") || document.getElementById("main")).prepend(notice);
  }

  function noticeOf(text) {
    const notice = document.createElement("div");
    notice.className = "notice wrong";
    notice.setAttribute("role", "alert");
    notice.append(Object.assign(document.createElement("p"), { textContent: text }));
    return notice;
  }

  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    const button = detail.requestConfig.elt.querySelector("button[data-working]");
    if (button) say(button.dataset.working);
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig, target } = event.detail;
    const isOver = new URL(xhr.responseURL).pathname === "/sign-in"; // the session is
    if (target.dataset.quiet !== undefined) { // it is renewed by itself, and nobody asked for it now
      if (isOver || xhr.status >= 400 || target.contains(document.activeElement)) event.preventDefault();
    } else if (isOver) {
      event.preventDefault();
      location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
    } else if (xhr.status >= 400) { // the page of an error has a notice; its address is not kept
      event.preventDefault();
      const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
      show(page.querySelector("main .notice") || noticeOf(xhr.responseText), requestConfig.elt);
    } else {
      document.querySelector("[data-problem]")?.remove();
    }
  });

  document.addEventListener("htmx:sendError", ({ detail }) => {
    if (detail.target.dataset.quiet !== undefined) return;
    show(noticeOf("The workbench does not answer; try it again in a while."), detail.requestConfig.elt);
  });

  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    const region = detail.target;
    if (region.dataset.quiet !== undefined) return;
    if (region.dataset.done !== undefined) { // it renews itself until nothing is left of it
      if (region.childElementCount === 0) say(region.dataset.done);
      return;
    }
    say(region.querySelector("[data-said]")?.textContent || "");
    const heading = region.dataset.focus && region.querySelector(region.dataset.focus);
    if (heading) {
      heading.tabIndex = -1;
      heading.focus();
    } else if (document.activeElement === document.body) { // what was clicked is gone
      region.focus({ preventScroll: true });
      region.scrollIntoView();
    }
  });
})();
