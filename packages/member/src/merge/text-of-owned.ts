import { goJson, jsonEquals, type KubeObject, type OwnerReference } from '@flotilla/kube';

interface TextAroundUid {
  readonly owner: OwnerReference;
  readonly before: string;
  readonly after: string;
}

/** By manifest. Agents of a thread share manifests that are equal, and what they make of one differs in the uid of its owner alone. */
const texts = new WeakMap<KubeObject, TextAroundUid>();

/** An object as Go prints it, made from this manifest alone, with this owner. */
export function textOfOwned(
  object: KubeObject,
  { manifest, owner }: { readonly manifest: KubeObject; readonly owner: OwnerReference },
): string {
  if (!isUuid.test(owner.uid)) return goJson(object);
  const known = texts.get(manifest);
  if (known !== undefined && jsonEquals({ ...known.owner, uid: owner.uid }, { ...owner })) {
    return `${known.before}${owner.uid}${known.after}`;
  }
  const text = goJson(object);
  const [before, after, ...others] = text.split(owner.uid);
  if (before !== undefined && after !== undefined && others.length === 0) texts.set(manifest, { owner, before, after });
  return text;
}

/** Printed as it is. */
const isUuid = /^[\da-f-]{36}$/;
