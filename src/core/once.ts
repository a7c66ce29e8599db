/** Makes a value once for the same arguments, which it compares with `===`. It is meant for few. */
export function once<Given extends readonly unknown[], Made>(
  make: (...given: Given) => Made,
): (...given: Given) => Made {
  const known: { readonly given: Given; readonly made: Made }[] = [];
  return (...given) => {
    const isSame = (earlier: Given) =>
      earlier.length === given.length && earlier.every((each, index) => each === given[index]);
    const found = known.find((each) => isSame(each.given));
    if (found) return found.made;
    const made = make(...given);
    known.push({ given, made });
    return made;
  };
}
