import {
  byteLength,
  forbidden,
  invalid,
  mustBeBetween,
  nameIsDnsSubdomain,
  required,
  tooLong,
  type FieldError,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { carryOver, keepMetadata } from '../prepare-update.ts';
import { invalids } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';
import { validateDriverName } from './driver-name.ts';

interface AttachmentFields {
  readonly spec?: AttachmentSpec;
  readonly status?: AttachmentStatus;
}

interface AttachmentSpec {
  readonly attacher?: string;
  readonly nodeName?: string;
  readonly source?: AttachmentSource;
}

interface AttachmentSource {
  readonly persistentVolumeName?: string;
  readonly inlineVolumeSpec?: JsonObject;
}

interface AttachmentStatus {
  readonly attached?: boolean;
  readonly attachmentMetadata?: Readonly<Record<string, string>>;
  readonly attachError?: VolumeError;
  readonly detachError?: VolumeError;
}

interface VolumeError {
  readonly message?: string;
  readonly errorCode?: number;
}

const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;

export const volumeAttachmentKind: KindBehavior = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  nameRule: nameIsDnsSubdomain,
  requiresResourceVersion: true,
  returnsDeletedObject: true,
  prepareForCreate(object) {
    object['status'] = { attached: false };
  },
  prepareForUpdate: (object, old) => carryOver('status', object, old),
  validate: validateAttachment,
  validateUpdate: validateAttachmentUpdate,
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        carryOver('spec', object, old);
        keepMetadata(object, old);
      },
      validateUpdate: validateAttachmentUpdate,
      resetFields: [['metadata'], ['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      { ...column('Attacher', 'string', 'The driver that attaches the volume.'), format: 'name' },
      column('PV', 'string', 'The volume.'),
      column('Node', 'string', 'The node that it is attached to.'),
      column('Attached', 'boolean', 'Whether it is attached.'),
      ageColumn,
    ],
    cells(object, now) {
      const { spec: { attacher = '', nodeName = '', source = {} } = {}, status = {} } = fieldsOf(object);
      const volume = source.persistentVolumeName ?? '';
      return [object.metadata.name ?? '', attacher, volume, nodeName, status.attached ?? false, age(object, now)];
    },
  },
  resetFields: [['status']],
};

function fieldsOf(object: KubeObject): AttachmentFields {
  return object as KubeObject & AttachmentFields;
}

function validateAttachment(object: KubeObject): FieldError[] {
  const { spec: { attacher = '', nodeName = '', source = {} } = {}, status = {} } = fieldsOf(object);
  const { persistentVolumeName: volume } = source;
  return [
    ...validateDriverName(attacher, 'spec.attacher'),
    ...validateSource(source),
    ...invalids('spec.nodeName', nodeName, nameIsDnsSubdomain(nodeName, false)),
    ...validateStatus(status),
    ...(volume === undefined
      ? []
      : invalids('spec.source.persistentVolumeName', volume, nameIsDnsSubdomain(volume, false))),
  ];
}

function validateAttachmentUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const { spec = {} } = fieldsOf(object);
  const errors = validateAttachment(object);
  if (sameFields(spec, fieldsOf(old).spec)) return errors;
  return [...errors, invalid('spec', specInGo(spec), 'field is immutable')];
}

function validateSource({ persistentVolumeName, inlineVolumeSpec }: AttachmentSource): FieldError[] {
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (persistentVolumeName === undefined && inlineVolumeSpec === undefined) return [required('spec.source', detail)];
  if (persistentVolumeName !== undefined && inlineVolumeSpec !== undefined) return [forbidden('spec.source', detail)];
  if (persistentVolumeName !== '') return [];
  return [required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName')];
}

function validateStatus({ attachmentMetadata = {}, attachError, detachError }: AttachmentStatus): FieldError[] {
  const bytes = Object.entries(attachmentMetadata).reduce((sum, pair) => sum + byteLength(pair.join('')), 0);
  return [
    ...(bytes > maxMetadataBytes ? [tooLong('status.attachmentMetadata', maxMetadataBytes)] : []),
    ...validateVolumeError(attachError, 'status.attachError'),
    ...validateVolumeError(detachError, 'status.detachError'),
  ];
}

/** Kubernetes reports the limit of the metadata for a message that is too long. */
function validateVolumeError(error: VolumeError | undefined, path: string): FieldError[] {
  const { message = '', errorCode = 0 } = error ?? {};
  const errors = byteLength(message) > maxMessageBytes ? [tooLong(`${path}.message`, maxMetadataBytes)] : [];
  if (errorCode >= 0) return errors;
  return [...errors, invalid(`${path}.errorCode`, errorCode, mustBeBetween(0, 2 ** 31 - 1))];
}

/** The spec as Go prints the struct in an error. Inline volumes come from in-tree migration and are shown as sent. */
function specInGo({ attacher = '', nodeName = '', source = {} }: AttachmentSpec): JsonObject {
  return {
    Attacher: attacher,
    Source: {
      PersistentVolumeName: source.persistentVolumeName ?? null,
      InlineVolumeSpec: source.inlineVolumeSpec ?? null,
    },
    NodeName: nodeName,
  };
}
