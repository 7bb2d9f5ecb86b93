"""What the benchmarks of servers and clients share: pinned servers, nginx as the peer, and the interval of a median."""

import math
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

SLACK = 0.03  # of the median above the bar
BODY = "<p>Hello, world!</p>"

NGINX = """
daemon off;
master_process off;
worker_processes 1;
worker_rlimit_nofile 30000;
pid {folder}/pid;
error_log stderr error;
events {{ worker_connections 20000; multi_accept on; }}
http {{
    access_log {access_log};
    default_type text/html;
    keepalive_requests 100000000;
    keepalive_timeout 600s;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 0.0.0.0:{port} backlog=16384;
        location / {{ return 200 "{body}"; }}
    }}
}}
"""


def require(*programs):
    """Ends where a program is missing; returns the path of nginx."""
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    missing = [name for name in programs if shutil.which(name) is None] + ([] if nginx else ["nginx"])
    if missing:
        sys.exit(f"{' and '.join(missing)}: needed and not there")
    return nginx


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pinned(processor, command):
    return ["taskset", "-c", str(processor), *command]


class Server:
    """A running server, pinned to a processor."""

    def __init__(self, name, port, command, processor):
        self.name = name
        self.port = port
        self.process = subprocess.Popen(pinned(processor, command), stdout=subprocess.DEVNULL)
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.01)
        sys.exit(f"{name} does not listen")

    def cpu_seconds(self):
        """Of all threads: the scheduler's nanoseconds."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) * 1e-9

    def split(self):
        """User and system time in the kernel's ticks: their ratio tells how the above divides."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]), int(fields[12])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def start_benchkit(program, processor):
    port = free_port()
    return Server("benchkit", port, [program, "serve", "--address", "0.0.0.0", "--port", str(port)], processor)


def start_nginx(nginx, folder, processor, name="nginx", access_log="off"):
    """One worker that answers each request by `return 200`; `access_log` as in its configuration."""
    port = free_port()
    config = pathlib.Path(folder, "nginx.conf")
    config.write_text(NGINX.format(folder=folder, port=port, body=BODY, access_log=access_log))
    return Server(name, port, [nginx, "-p", str(folder), "-c", str(config)], processor)


class Addresses:
    """A fresh address of the loopback each time, so that no ports wait for the end of old connections."""

    def __init__(self):
        self.count = 0

    def next(self):
        self.count += 1
        return f"127.0.{1 + self.count // 250}.{1 + self.count % 250}"


def sign_interval(values):
    """The 95 % interval of the median: how many values lie on each side of it is binomial."""
    values = sorted(values)
    count = len(values)
    rank = 0
    tail = 0.0
    while True:
        tail += math.comb(count, rank) / 2**count
        if 2 * tail > 0.05:
            break
        rank += 1
    rank = max(rank, 1)
    return values[rank - 1], values[count - rank]
