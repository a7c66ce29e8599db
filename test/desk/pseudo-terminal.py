"""Runs a program on a pseudo-terminal of so many columns and types an answer once it has asked.

Arguments: columns, the answer (bytes as hex), the program and its arguments. What the program wrote goes to
standard output as it came; this ends with the program's exit code.
"""

import fcntl
import os
import pty
import struct
import sys
import termios

columns, answer = int(sys.argv[1]), bytes.fromhex(sys.argv[2])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
seen = b""
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    seen += data
    if answer and b"[y/N] " in seen:
        os.write(terminal, answer)
        answer = b""
sys.stdout.buffer.write(seen)
sys.stdout.buffer.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
