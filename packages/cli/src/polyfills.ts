/** Functions that Node 20 lacks; `lib` in tsconfig.json allows exactly these. */

Promise.withResolvers ??= <T>() => {
  let resolve: PromiseWithResolvers<T>['resolve'] = () => {}
  let reject: PromiseWithResolvers<T>['reject'] = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

Array.fromAsync ??= async (items: AsyncIterable<unknown> | Iterable<unknown> | ArrayLike<unknown>) => {
  const all = []
  for await (const item of items as AsyncIterable<unknown>) all.push(item)
  return all
}

Map.groupBy ??= (items, keyOf) => {
  const groups = new Map()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
