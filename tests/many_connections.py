#!/usr/bin/env python3
"""More connections than one address has ports, in a network namespace of the test's own: with several source addresses
they are held, without them the result says what ran out.

  many_connections.py PROGRAM      ends with 77, skipped, where namespaces are not permitted
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

CONNECTIONS = 4000
PORTS = 1000  # of each address
# Just enough, and none of them 127.0.0.1: that one's ports are for the run without sources.
SOURCES = "127.0.0.2,127.0.0.3,127.0.0.4,127.0.0.5"
SERVER_PORT = 18080


def enter_namespace():
    if os.environ.get("BENCHKIT_IN_NAMESPACE") == "1":
        return
    probe = subprocess.run(["unshare", "-r", "-n", "true"], capture_output=True, check=False)
    if probe.returncode != 0:
        print("skipped: network namespaces are not permitted here")
        sys.exit(77)
    os.environ["BENCHKIT_IN_NAMESPACE"] = "1"
    os.execvp("unshare", ["unshare", "-r", "-n", sys.executable, *sys.argv])


def skip_without_descriptors():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = CONNECTIONS + 200
    if hard != resource.RLIM_INFINITY and hard < needed:
        print(f"skipped: {needed} descriptors are needed, {hard} are allowed")
        sys.exit(77)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, needed), hard))


def load(program, *more):
    """The exit code, the result, and what was said on standard error."""
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder, "result.json")
        run = subprocess.run(
            [program, "load", "-c", str(CONNECTIONS), "-n", "20000", "--timeout", "30s", "-o", str(saved), *more,
             f"http://127.0.0.1:{SERVER_PORT}/"], capture_output=True, text=True, timeout=100, check=False)
        return run, json.loads(saved.read_text())


def check(condition, what, run):
    if not condition:
        sys.exit(f"not so: {what}\n{run.stdout}\n{run.stderr}")


def main():
    enter_namespace()
    skip_without_descriptors()
    program = sys.argv[1]
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    limits = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")
    limits.write_text(f"30000 {30000 + PORTS - 1}\n")
    server = subprocess.Popen([program, "serve", "--port", str(SERVER_PORT)], stdout=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()
        run, result = load(program, "--source", SOURCES)
        counters = result["counters"]
        check(run.returncode == 0, "all went well", run)
        check(counters["succeeded"] == 20000 and counters["failed"] == 0, "every request succeeded", run)
        check(counters["connections_opened"] == CONNECTIONS, "every connection was held", run)

        run, result = load(program)
        counters = result["counters"]
        check(run.returncode == 0, "something was measured", run)
        check(counters.get("failed.ports", 0) > 0, "ports ran out", run)
        check(counters["failed"] == counters["failed.ports"], "nothing else failed", run)
        check(counters["connections_opened"] <= PORTS, "no more connections than ports", run)
        codes = [one["code"] for one in result["diagnostics"]]
        check("port-limit" in codes, f"the ports are told of in {codes}", run)
        print(f"with sources {CONNECTIONS} connections, without {counters['connections_opened']}; "
              f"{counters['failed.ports']} requests failed for want of ports")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
