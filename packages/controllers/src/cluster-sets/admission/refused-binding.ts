import type { ManagedClusterSetBinding } from '@flotilla/api';

/** Why a binding is invalid, in OCM's words; undefined if it is not. */
export function invalidBinding({ metadata, spec }: Readonly<ManagedClusterSetBinding>): string | undefined {
  if (metadata.name === (spec?.clusterSet ?? '')) return undefined;
  return 'The ManagedClusterSetBinding must have the same name as the target ManagedClusterSet';
}
