#!/usr/bin/python3
"""A WebKitGTK window without any frame, as small as a phone's screen, driven by WebKitWebDriver.

MiniBrowser, the driver's own, cannot be narrower than 447 px. It runs in Debian's Python, which has the bindings.
From the environment: WINDOW (its size, "390x844"), TEXT_SIZE (how many times as large as usual its user reads text),
LANGUAGE ("de"), COMPLAINTS (a file to which it adds a line of JSON for each error, rejection and policy violation of a
page), BEGIN (a script that begins each page).
"""

import json
import os
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found,unused-ignore]

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # type: ignore[import-not-found,unused-ignore] # noqa: E402

WIDTH, HEIGHT = map(int, os.environ["WINDOW"].split("x"))
COMPLAINTS = Path(os.environ["COMPLAINTS"])

REPORT = """
  const report = (text) => webkit.messageHandlers.complaints.postMessage(String(text))
  addEventListener('error', ({ message, filename, lineno }) => {
    if (message) report(`uncaught: ${message} ${filename}:${lineno}`)
  })
  addEventListener('unhandledrejection', (one) => report(`unhandled: ${one.reason} ${one.reason?.stack ?? ''}`))
  addEventListener('securitypolicyviolation', (one) => {
    const where = `${one.sourceFile}:${one.lineNumber}:${one.columnNumber}`
    report(`against the policy: ${one.effectiveDirective} ${one.blockedURI} ${where}`)
  })
  for (const level of ['error', 'warn']) {
    const log = console[level]
    console[level] = (...words) => { report(`${level}: ${words.join(' ')}`); log.apply(console, words) }
  }
"""
"""Runs before each page's own scripts, in their world. The driver has no log to read."""


def complain(_manager: Any, message: Any) -> None:
    """One more complaint of a page."""
    with COMPLAINTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(message.get_js_value().to_string()) + "\n")


def allow(_context: Any, session: Any) -> None:
    """The driver has come: it gets windows from here."""
    info = WebKit2.ApplicationInfo()
    info.set_name("Window")
    info.set_version(1, 0, 0)
    session.set_application_info(info)
    session.connect("create-web-view", make)


def make(_session: Any) -> Any:
    """A window with an empty page."""
    manager = WebKit2.UserContentManager()
    manager.register_script_message_handler("complaints")
    manager.connect("script-message-received::complaints", complain)
    frames, start = WebKit2.UserContentInjectedFrames.ALL_FRAMES, WebKit2.UserScriptInjectionTime.START
    for script in (REPORT, os.environ.get("BEGIN", "")):
        manager.add_script(WebKit2.UserScript.new(script, frames, start, None, None))
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, user_content_manager=manager)
    view.get_settings().set_zoom_text_only(True)
    view.set_zoom_level(float(os.environ.get("TEXT_SIZE", "1")))
    window = Gtk.Window(decorated=False)
    window.set_default_size(WIDTH, HEIGHT)
    window.add(view)
    view.connect("close", lambda *_: window.destroy())
    window.show_all()
    windows.append(window)
    return view


context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)
if language := os.environ.get("LANGUAGE"):
    context.set_preferred_languages([language])
windows: list[Any] = []
context.connect("automation-started", allow)
Gtk.main()
