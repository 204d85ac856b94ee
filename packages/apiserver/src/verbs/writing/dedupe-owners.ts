import { distinctOwnerReferences, type ObjectMeta } from '@flotilla/kube';

/** An owner named twice is named once, and whoever wrote it is told. */
export function dedupeOwners(metadata: ObjectMeta, warnings: string[]): void {
  if (metadata.ownerReferences === undefined) return;
  const { references, warning } = distinctOwnerReferences(metadata.ownerReferences);
  if (warning === undefined) return;
  metadata.ownerReferences = references;
  warnings.push(warning);
}
