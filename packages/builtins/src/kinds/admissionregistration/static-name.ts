const staticSuffix = '.static.k8s.io';

/** Names that are kept for configuration from files. */
export function staticNameWarnings({
  metadata: { name = '' },
}: {
  readonly metadata: { readonly name?: string };
}): string[] {
  if (!name.endsWith(staticSuffix)) return [];
  const rule = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  return [`metadata.name: names ending with "${staticSuffix}" ${rule}`];
}
