"""What goes wrong in a tab without anybody seeing it."""


def watched(tab, address):
    """A list that fills with what a tab complains of, and with whom else it asks.

    That a page itself is refused is no trouble: tests look at what it says.
    """
    trouble = []
    pages = set()

    def answered(response):
        if response.request.is_navigation_request():
            pages.add(response.url)
        elif response.status >= 400:
            trouble.append(f"{response.status} for {response.url}")

    def asked(request):
        if not request.url.startswith((f"{address}/", "data:", "file:")):
            trouble.append(f"asked {request.url}")

    def failed(request):
        if request.failure != "net::ERR_ABORTED":  # which a click before all is loaded does, too
            trouble.append(f"failed: {request.url}")

    def said(message):
        is_page = message.location["url"] in pages and "Failed to load" in message.text
        if message.type in ("error", "warning") and not is_page:
            trouble.append(f"{message.type}: {message.text}")

    tab.on("response", answered)
    tab.on("request", asked)
    tab.on("requestfailed", failed)
    tab.on("console", said)
    tab.on("pageerror", lambda error: trouble.append(f"script: {error}"))
    return trouble
