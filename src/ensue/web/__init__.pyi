from .app import create_app as create_app
from .middleware import log_to_stderr as log_to_stderr
from .server import ListenAddress as ListenAddress, WebSettings as WebSettings, serve as serve
