import type { KindBehavior } from '../../kind.ts';
import { csiDriverKind } from './csi-driver.ts';
import { csiNodeKind } from './csi-node.ts';
import { csiStorageCapacityKind } from './csi-storage-capacity.ts';
import { storageClassKind } from './storage-class.ts';
import { volumeAttachmentKind } from './volume-attachment.ts';
import { volumeAttributesClassKind } from './volume-attributes-class.ts';

export const storageKinds: readonly KindBehavior[] = [
  storageClassKind,
  volumeAttributesClassKind,
  csiDriverKind,
  csiNodeKind,
  csiStorageCapacityKind,
  volumeAttachmentKind,
];
