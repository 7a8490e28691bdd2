"""Puts the copse binary into the wheel.

COPSE_BINARY names a released binary, and COPSE_TARGET its system and processor, such as
linux/arm64; the default is this machine. Without COPSE_BINARY the hook builds the binary
with Go from the folder above, which is a clone of copse.
"""

import os
import platform
import shutil
import subprocess
from typing import Any, Dict

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The binary is static, so that it runs with glibc and musl. Go 1.26 needs macOS 12.
TAGS = {
    "linux/amd64": "manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}

PROCESSORS = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64", "arm64": "arm64", "ARM64": "arm64"}


def this_machine() -> str:
    processor = platform.machine()
    return platform.system().lower() + "/" + PROCESSORS.get(processor, processor)


class BinaryHook(BuildHookInterface):
    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        if version == "editable":
            return  # the package then uses COPSE_BINARY or the copse in PATH
        target = os.environ.get("COPSE_TARGET") or this_machine()
        if target not in TAGS:
            raise RuntimeError("no wheel for %s; COPSE_TARGET is one of %s" % (target, ", ".join(TAGS)))
        name = "copse.exe" if target.startswith("windows/") else "copse"
        binary = os.environ.get("COPSE_BINARY") or self.build(target, name)
        if not os.path.isfile(binary):
            raise RuntimeError("COPSE_BINARY: there is no file %s" % binary)
        os.chmod(binary, os.stat(binary).st_mode | 0o755)
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + TAGS[target]
        build_data["force_include"][binary] = "copse/bin/" + name
        for notice in ("LICENSE", "THIRD-PARTY.txt"):  # a release has them beside its binary
            path = os.path.join(os.path.dirname(os.path.abspath(binary)), notice)
            if os.path.isfile(path):
                build_data["force_include"][path] = "copse/bin/" + notice

    def build(self, target: str, name: str) -> str:
        source = os.path.dirname(self.root)
        if not os.path.isfile(os.path.join(source, "go.mod")) or shutil.which("go") is None:
            raise RuntimeError(
                "copse needs its binary: set COPSE_BINARY to the file copse of a release, "
                "or build the wheel in the folder python of a clone, with Go 1.26 installed"
            )
        binary = os.path.join(self.root, "build", target.replace("/", "-"), name)
        system, processor = target.split("/")
        environment = dict(os.environ, GOOS=system, GOARCH=processor, CGO_ENABLED="0")
        subprocess.run(
            ["go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", binary, "."],
            cwd=source, env=environment, check=True,
        )
        return binary
