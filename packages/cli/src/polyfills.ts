/** Node 20 lacks this function; `lib` in tsconfig.json allows no other new one. */
Array.fromAsync ??= async (items: AsyncIterable<unknown> | Iterable<unknown> | ArrayLike<unknown>) => {
  const all = []
  for await (const item of items as AsyncIterable<unknown>) all.push(item)
  return all
}
