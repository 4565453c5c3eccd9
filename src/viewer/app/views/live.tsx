// The live viewer: the runs of a folder, or the one run that was asked for.
export function Live() {
  return null
}
