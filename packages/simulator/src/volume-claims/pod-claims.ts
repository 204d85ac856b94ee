import type { Pod, Volume } from '../kinds.ts';

/** The names of the claims that a pod uses, also of those that are made for it. */
export function claimNamesOf({ metadata: { name = '' }, spec }: Readonly<Pod>): string[] {
  return (spec?.volumes ?? []).flatMap((volume) => claimNameOf(name, volume) ?? []);
}

/** Undefined if the volume needs no claim. */
export function claimNameOf(pod: string, { name, ephemeral, persistentVolumeClaim }: Volume): string | undefined {
  return ephemeral === undefined ? persistentVolumeClaim?.claimName : `${pod}-${name}`;
}
