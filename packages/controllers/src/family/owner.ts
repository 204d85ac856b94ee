import type { KubeObject } from '@flotilla/kube';

/** Whether an earlier owner of the same name has left this object behind. One without an owner belongs to the present one. */
export function isOfAnother(
  { metadata: { ownerReferences = [] } }: Readonly<KubeObject>,
  uid: string | undefined,
): boolean {
  const controller = ownerReferences.find((owner) => owner.controller === true);
  return controller !== undefined && controller.uid !== uid;
}
