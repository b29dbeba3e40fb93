import type { AnyJobDefinition } from './jobs.ts'

/** Every job there is beside housekeeping, which belongs to the queue itself. */
export const jobDefinitions: readonly AnyJobDefinition[] = []
