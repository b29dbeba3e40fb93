/** What a caller must be or have. Every endpoint names one of these; 'public' is said, never left out. */
export const featureIds = { myStudents: 1, exam: 2, training: 4, composition: 6 } as const
export type FeatureId = (typeof featureIds)[keyof typeof featureIds]

export type AccessRule = { administrator?: true; feature?: FeatureId }

export const accessRules = {
  'signed-in': {},
  'school-administration': { administrator: true },
  'my-students': { feature: featureIds.myStudents },
  share: { feature: featureIds.myStudents },
  exam: { feature: featureIds.exam },
  training: { feature: featureIds.training },
  composition: { feature: featureIds.composition },
} as const satisfies Record<string, AccessRule>

export type AccessKey = keyof typeof accessRules
export type Access = AccessKey | 'public'

/** The access list of a session: isAdmin feeds it. '1' is the value that the menu entry of /school/student asks for. */
export function accessList(user: { isAdmin: boolean }): string[] {
  return user.isAdmin ? ['1', 'school-administration'] : []
}

/** An element marked for access stays when the user's list shares at least one entry with the required list. */
export function sharesAccess(list: readonly string[], required: readonly string[]): boolean {
  return required.some((entry) => list.includes(entry))
}

/** isActivity 1 means enabled. */
export function hasFeature(features: readonly { featureId: number; isActivity: number }[], featureId: number): boolean {
  return features.some((feature) => feature.featureId === featureId && feature.isActivity === 1)
}
