import { compareBytes, invalid, type FieldError } from '@flotilla/kube';
import type { DefinitionVersion } from './custom-resource-definition.ts';

const storedVersionsPath = 'status.storedVersions';

/** Objects may lie in the store in any version that was ever the storage version, so none of them may go away. */
export function validateStoredVersions(
  stored: readonly string[] | null | undefined,
  versions: readonly DefinitionVersion[],
): FieldError[] {
  if (!stored?.length) return [invalid(storedVersionsPath, stored && [], 'must have at least one stored version')];
  // Each stored version is found once: of two versions of a name, the second has none.
  const unseen = new Set(stored);
  const lacking = versions.filter(({ name, storage }) => !unseen.delete(name) && storage);
  const lost = [...unseen].sort(compareBytes);
  return [
    ...lacking.map(({ name }) => invalid(storedVersionsPath, [...stored], `must have the storage version ${name}`)),
    ...lost.map((name) => invalid(`${storedVersionsPath}[${stored.lastIndexOf(name)}]`, name, mustRemain(name))),
  ];
}

function mustRemain(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}
