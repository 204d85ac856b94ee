import type { KubeObject } from '@flotilla/kube';

interface Referring extends KubeObject {
  spec?: { volumeAttributesClassName?: string };
  status?: {
    currentVolumeAttributesClassName?: string;
    modifyVolumeStatus?: { targetVolumeAttributesClassName?: string };
  };
}

/** The VolumeAttributesClasses that a claim or a volume has, had, or changes to. */
export function attributesClassesOf(object: Readonly<KubeObject>): string[] {
  const { spec, status } = object as Referring;
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.flatMap((name) => name || []))];
}
