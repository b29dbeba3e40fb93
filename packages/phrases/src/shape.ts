/** The same keys as the Chinese source, each with a text of its own: a phrase missing in English does not compile. */
export type SameShape<T> = { [K in keyof T]: T[K] extends string ? string : SameShape<T[K]> }

/** Every dotted key of a group of phrases. */
export type LeafKey<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${LeafKey<T[K]>}`
}[keyof T & string]
