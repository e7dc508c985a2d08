// A guard that cannot start: it says why and is gone.

process.stderr.write("cannot start\n");
process.exitCode = 3;
