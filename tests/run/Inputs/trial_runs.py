"""Runs mpfc for scripts of random trials, on files of one folder."""
import os
import subprocess


class TrialRuns:
    def __init__(self, mpfc, folder):
        self.mpfc, self.folder = mpfc, folder
        os.makedirs(folder, exist_ok=True)

    def run(self, *arguments):
        """Returns the exit code, stdout and stderr of `mpfc run`."""
        done = subprocess.run([self.mpfc, "run", *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def file(self, name, text):
        """Writes a file of this text and returns its path."""
        name = os.path.join(self.folder, name)
        with open(name, "w") as file:
            file.write(text)
        return name
