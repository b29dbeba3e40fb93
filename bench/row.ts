/** One figure: ours, the best peer's, and how many times better ours is. */
export type Row = { name: string; ours: number; peer: number; ratio: number; unit: string }
