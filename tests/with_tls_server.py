#!/usr/bin/env python3
"""Runs a command beside a TLS server of the openssl program.

  with_tls_server.py OPENSSL COMMAND [ARGUMENT...]

The command gets two more arguments: the server's HOST:PORT and the file of the authority that has signed its
certificate, which names localhost.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]


def make_certificates(openssl, folder):
    def request(*arguments):
        outcome = subprocess.run([openssl, "req", "-x509", *NEW_KEY, *arguments], cwd=folder, stderr=subprocess.PIPE)
        if outcome.returncode != 0:
            print(outcome.stderr.decode(errors="replace"))
            sys.exit(77)  # Meson's word for a skipped test: an openssl before 3.0 signs in no such way

    request("-subj", "/CN=our authority", "-keyout", "ca.key", "-out", "ca.pem")
    request("-CA", "ca.pem", "-CAkey", "ca.key", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            "-keyout", "server.key", "-out", "server.pem")


def main():
    openssl, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        make_certificates(openssl, folder)
        server = subprocess.Popen(
            [openssl, "s_server", "-www", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key"],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
        try:
            port = next((found[1] for line in server.stdout if (found := re.match(r"ACCEPT .*:(\d+)$", line))), None)
            if port is None:
                sys.exit("openssl s_server does not listen")
            outcome = subprocess.run([*command, f"localhost:{port}", str(pathlib.Path(folder) / "ca.pem")])
        finally:
            server.kill()
            server.wait()
    sys.exit(outcome.returncode)


if __name__ == "__main__":
    main()
