/** What the Python of an external hook may import of its repository: what was consented to, and nothing else. */
import { delimiter, join } from "node:path"

export interface Limits {
  /** By its real path. */
  readonly repository: string
  /** Where the hook's files are named from, and the same place of their copy, where a copy runs. */
  readonly base: string
  readonly place: string
  /** By their real paths. */
  readonly consented: readonly string[]
}

/**
 * Python runs a module of this name when it starts, wherever its path has one. It takes the place of the finder that looks along the path:
 * a file of the repository is found where it was consented to, and its source is read, never what was compiled of it; a name that the
 * repository has without consent is looked for elsewhere. That holds for scripts that were consented to, and where Python is given its
 * code on the command line. A module of Python's own library (`-m json.tool`) takes from the repository only what is nowhere else. Other
 * programs, such as a test runner, import what they like, and so does what they start.
 */
const sitecustomize = ({ base, consented, place, repository }: Limits): string => `import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def limit(repository, base, place, consented):
    from importlib import machinery

    inside = repository + os.sep
    library = os.path.dirname(os.path.realpath(os.__file__)) + os.sep
    prefixes = [os.path.realpath(path) + os.sep for path in (sys.prefix, sys.exec_prefix)]
    environments = tuple(path for path in prefixes if path.startswith(inside))

    def is_inside(path):
        real = os.path.realpath(path or os.getcwd()) + os.sep
        return real.startswith(inside) and not real.startswith(environments or (os.sep * 2,))

    def is_consented(path):
        real = os.path.realpath(path)
        return real in consented or any(one.startswith(real + os.sep) for one in consented)

    def copy_of(path):
        real = os.path.realpath(path or os.getcwd())
        return place + real[len(base):] if (real + os.sep).startswith(base + os.sep) else path

    def limits():
        started = (getattr(sys, "argv", None) or [""])[0]
        real = os.path.realpath(started)
        if started in ("", "-", "-c") or real in consented:
            return "all"
        if started == "-m" or (real.startswith(library) and "-packages" + os.sep not in real):
            return "shadows"
        return "none"

    class Source(machinery.SourceFileLoader):
        def path_stats(self, path):
            raise OSError("what was compiled of it is left alone")

    class Finder(machinery.PathFinder):
        @classmethod
        def find_spec(cls, name, path=None, target=None):
            spec = machinery.PathFinder.find_spec(name, path, target)
            if spec is None:
                return None
            places = [spec.origin] if spec.has_location else list(spec.submodule_search_locations or [])
            if not any(is_inside(one) for one in places):
                return spec
            kind = limits()
            if kind == "none":
                release()
                return spec
            if kind == "shadows":
                return cls.elsewhere(name, path, target) or spec
            if not spec.has_location and all(is_consented(one) for one in places):
                return spec
            found = cls.as_consented(name, path) or cls.elsewhere(name, path, target)
            if found is None:
                raise ModuleNotFoundError(
                    "No module named %r: hooktape leaves out %s, which nobody consented to (see projectCode)" % (name, places[0]),
                    name=name,
                )
            return found

        @classmethod
        def as_consented(cls, name, path):
            for entry in sys.path if path is None else path:
                module = os.path.join(copy_of(entry), name.rpartition(".")[2])
                for file, folders in ((os.path.join(module, "__init__.py"), [module]), (module + ".py", None)):
                    if os.path.realpath(file) in consented:
                        spec = machinery.ModuleSpec(name, Source(name, file), origin=file)
                        spec.submodule_search_locations = folders
                        spec.has_location = True
                        return spec
            spec = machinery.PathFinder.find_spec(name, path)
            return spec if spec.has_location and os.path.realpath(spec.origin) in consented else None

        @staticmethod
        def elsewhere(name, path, target):
            places = sys.path if path is None else path
            return machinery.PathFinder.find_spec(name, [one for one in places if not is_inside(one)], target)

    def release():
        sys.meta_path[:] = [machinery.PathFinder if one is Finder else one for one in sys.meta_path]
        places = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        os.environ["PYTHONPATH"] = os.pathsep.join(one for one in places if one != HERE)

    sys.meta_path[:] = [Finder if one is machinery.PathFinder else one for one in sys.meta_path]


def hand_on():
    this = sys.modules.pop("sitecustomize", None)
    sys.path[:] = [one for one in sys.path if os.path.abspath(one) != HERE]
    try:
        import sitecustomize
    except ImportError:
        pass
    sys.modules.setdefault("sitecustomize", this)


if sys.version_info >= (3, 6):
    limit(${[repository, base, place].map((path) => JSON.stringify(path)).join(", ")}, frozenset(${JSON.stringify(consented)}))
hand_on()
`

/** With these Python would not read it, and would still look for modules beside the script. `-W` and `-X` take a word of their own. */
const deaf = /\bpython[\d.]*(?:[ \t]+-(?:[WX][ \t]*\S+|[A-Za-z]+))*?[ \t]+-[A-Za-z]*[ES]/

/** Whether Python may run in it; `texts`: the command, and the scripts that it names. */
export const mayBePython = (names: readonly string[], texts: readonly string[]): boolean =>
  names.some((name) => /\.pyw?$/.test(name)) || texts.some((text) => text.includes("python"))

/** Whether what it says to Python leaves nobody but Python to say what it imports. */
export const isDeaf = (texts: readonly string[]): boolean => texts.some((text) => deaf.test(text))

/** The environment that has Python keep to them; `folder`: of this call alone. `pythonPath`: as the agent has it. */
export const limitedImports = (
  limits: Limits,
  { folder, pythonPath }: { readonly folder: string; readonly pythonPath: string | undefined }
): Record<string, string> => {
  process.getBuiltinModule("node:fs").writeFileSync(join(folder, "sitecustomize.py"), sitecustomize(limits))
  return { PYTHONPATH: pythonPath ? `${folder}${delimiter}${pythonPath}` : folder }
}
