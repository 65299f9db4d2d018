# SPDX-License-Identifier: Apache-2.0
"""Write Debian packages to BUILD/deb, of the tree that `make install` has put into BUILD/deb/tree, and of the wheel.

install/debian/control says which packages there are and which files each has. The bytes depend on the sources and the tools
alone: times are those of SOURCE_DATE_EPOCH or of the last commit, modes and owners do not come from the account, and no
binary names the folder in which it was made. DEBFULLNAME and DEBEMAIL name the maintainer, as they do for Debian's tools.
"""

import email.utils
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import struct
import textwrap
import zipfile

from annelid.children import Wrong
from annelid.options import parser

SOURCES = pathlib.Path("install/debian")
PYTHON = "usr/lib/python3/dist-packages"
NOT_PACKED = ("usr/bin/annelid-mpi", "usr/share/doc/annelid/LICENSE", "usr/share/annelid/installed")
MOVED = {"usr/share/zsh/site-functions": "usr/share/zsh/vendor-completions"}
# The note that has the build ID of a binary, up to the ID, which is a SHA-1.
BUILD_ID = struct.pack("=3I", 4, hashlib.sha1().digest_size, 3) + b"GNU\0"
# What a package does when it comes and goes, besides files.
CONTROL = {
    "libannelid": {"triggers": "activate-noawait ldconfig\n", "shlibs": "libannelid {soversion} {package} (>= {version})\n"},
    "python3-annelid": {
        "postinst": "#!/bin/sh\nset -e\nif command -v py3compile > /dev/null; then py3compile -p {package}; fi\n",
        "prerm": "#!/bin/sh\nset -e\nif command -v py3clean > /dev/null; then py3clean -p {package}; fi\n"},
}


def put(path, data, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    path.chmod(mode)


def below(room):
    """Returns what is in a folder and in its folders but folders, in order."""
    return sorted(path for path in room.rglob("*") if path.is_symlink() or not path.is_dir())


def changes(text, maintainer, epoch):
    """Returns CHANGELOG.md in the form of Debian's changelogs."""
    versions = re.split(r"^## (\S+).*\n", text, flags=re.MULTILINE)[1:]
    entries = []
    for version, body in zip(versions[::2], versions[1::2]):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", body).replace("`", "")
        items = [" ".join(item.split()) for item in re.split(r"^- ", plain, flags=re.MULTILINE) if item.strip()]
        lines = [textwrap.fill(item, 78, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False) for item in items]
        date = email.utils.formatdate(epoch)
        entries.append(f"annelid ({version}) unstable; urgency=medium\n\n" + "\n".join(lines) + f"\n\n -- {maintainer}  {date}\n")
    return "\n".join(entries)


def unpack(wheel, tree):
    """Adds the package for Python, which takes library and command of the system in place of copies."""
    room = tree / PYTHON
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if "/parts/" not in name and not name.endswith("/RECORD")]
        for name in names:
            put(room / name, archive.read(name))
    library = next((tree / "usr/lib").glob("*/libannelid.so"))
    parts = room / "annelid/parts"
    parts.mkdir()
    for name, path in {"libannelid.so": library.parent / library.readlink(), "annelid": tree / "usr/bin/annelid"}.items():
        (parts / name).symlink_to(os.path.relpath(path, parts))


def identify(path):
    """Makes the build ID that of the binary as it is now: the linker's one depends on names of folders in debug data."""
    data = path.read_bytes()
    before, note, after = data.partition(BUILD_ID)
    if note:
        rest = after[hashlib.sha1().digest_size:]
        path.write_bytes(before + note + hashlib.sha1(before + rest).digest() + rest)


def arrange(children, tree):
    """Makes the tree one of Debian: paths, pages that are compressed, binaries without names for debuggers."""
    for name in NOT_PACKED:
        (tree / name).unlink(missing_ok=True)
    for old, new in MOVED.items():
        (tree / old).rename(tree / new)
    for page in below(tree / "usr/share/man"):
        put(page.with_name(page.name + ".gz"), gzip.compress(page.read_bytes(), mtime=0))
        page.unlink()
    for path in [*below(tree / "usr/bin"), *(tree / "usr/lib").glob("*/libannelid.so.*.*.*")]:
        children.must(["strip", "--strip-unneeded", "-R", ".comment", path])
        identify(path)
    for path in (tree / "usr/lib").glob("*/*.a"):
        children.must(["strip", "--strip-debug", "--enable-deterministic-archives", "-R", ".comment", path])


def packages(text):
    """Returns {package: patterns of its files} of a control file."""
    return dict(re.findall(r"^Package: (\S+)\nX-Files: (.*)", text, re.MULTILINE))


def matches(pattern, name):
    """Whether a pattern has a path: * at its end stands for any text, elsewhere for one without a /."""
    return re.fullmatch(re.sub(r"\\\*(?!$)", "[^/]*", re.escape(pattern)).replace(r"\*", ".*"), str(name))


def share_out(tree, room, patterns):
    """Moves each file into the folder of the package whose longest pattern it has. Wrong: it has none."""
    for path in below(tree):
        name = path.relative_to(tree)
        found = max(((len(pattern), package) for package, all_of in patterns.items() for pattern in all_of.split()
                     if matches(pattern, name)), default=None)
        if not found:
            raise Wrong(f'{name}: found no package for it, expected one whose X-Files in {SOURCES / "control"} have it')
        target = room / found[1] / name
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)


def settle(room, epoch):
    """Gives all files modes and times that depend on nothing but what they are."""
    for path in [room, *room.rglob("*")]:
        if not path.is_symlink():
            runs = path.stat().st_mode & 0o100 and ".so." not in path.name
            path.chmod(0o755 if path.is_dir() or runs else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def write_control(children, room, package, about):
    """Writes what dpkg reads of a package; the libraries that it needs are found by dpkg-shlibdeps."""
    tree, control = room / package, room / package / "DEBIAN"
    control.mkdir()
    binaries = [path.relative_to(room) for path in below(tree) if not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"]
    substitutes = room / "substvars"
    substitutes.write_text("")
    if binaries:
        children.must(["dpkg-shlibdeps", f"-T{substitutes.name}", f"-S{package}", *binaries], cwd=room)
    children.must(["dpkg-gencontrol", f"-p{package}", f"-P{package}", f"-O{package}/DEBIAN/control", "-Tsubstvars"], cwd=room)
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in below(tree)
            if not path.is_symlink() and control not in path.parents]
    put(control / "md5sums", "".join(sums))
    kind = "libannelid" if package == f'libannelid{about["soversion"]}' else package
    for name, text in CONTROL.get(kind, {}).items():
        put(control / name, text.format(package=package, **about), 0o755 if text.startswith("#!") else 0o644)


def time_of_all(children):
    """Returns the time that all files have, in seconds since 1970."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        status, given = children.output(["git", "log", "-1", "--format=%ct"])
        if status:
            raise Wrong(f'found no commit of git ("{given.strip()}"), expected one or SOURCE_DATE_EPOCH=')
    if not re.fullmatch(r"\d+\n?", given):
        raise Wrong(f'SOURCE_DATE_EPOCH: found "{given}", expected seconds since 1970')
    return int(given)


def main(children):
    build = parser(__doc__).parse_args().build
    room, tree = build / "deb", build / "deb/tree"
    epoch = time_of_all(children)
    children.environment |= {"SOURCE_DATE_EPOCH": str(epoch), "LC_ALL": "C.UTF-8"}
    maintainer = (f'{os.environ.get("DEBFULLNAME", "Maintainers of Annelid")} '
                  f'<{os.environ.get("DEBEMAIL", "maintainers@annelid.invalid")}>')
    whole = next((tree / "usr/lib").glob("*/libannelid.so.*.*.*")).name
    version = whole.partition(".so.")[2]
    soname = os.readlink(next((tree / "usr/lib").glob("*/libannelid.so")))
    about = dict(version=version, soversion=soname.partition(".so.")[2])

    unpack(next(build.glob(f"annelid-{version}-*.whl")), tree)
    arrange(children, tree)
    control = (SOURCES / "control").read_text().replace("@SOVERSION@", about["soversion"]).replace("@MAINTAINER@", maintainer)
    changelog = changes(pathlib.Path("CHANGELOG.md").read_text(), maintainer, epoch)
    put(room / "debian/control", control)
    put(room / "debian/changelog", changelog)
    patterns = packages(control)
    share_out(tree, room, patterns)
    for package in patterns:
        documents = room / package / "usr/share/doc" / package
        put(documents / "copyright", (SOURCES / "copyright").read_bytes())
        put(documents / "changelog.gz", gzip.compress(changelog.encode(), mtime=0))
        write_control(children, room, package, about)
        settle(room / package, epoch)
        children.must(["dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", room / package, room])
        shutil.rmtree(room / package)
    shutil.rmtree(tree)
    print("\n".join(map(str, sorted(room.glob("*.deb")))))
    return 0
