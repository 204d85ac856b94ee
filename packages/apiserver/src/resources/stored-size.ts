/**
 * Objects that etcd would refuse are refused, with the sentences that its client and it have for that. Both count the whole
 * transaction that kube-apiserver sends, so the limits hold to the byte.
 */
import { apiErrors, type ApiError, type KubeObject } from '@flotilla/kube';
import type { Resource } from './resource.ts';

/** What etcd takes, `--max-request-bytes` left alone. */
const maxRequestBytes = 1.5 * 1024 * 1024;

/** What etcd's client sends. */
const maxMessageBytes = 2 * 1024 * 1024;

/**
 * JSON below this is not looked at any further: the rest is for the longest key. Protobuf is larger than JSON only where fields are
 * left empty by the thousand; such objects are taken.
 */
export const surelyStoredBytes = maxRequestBytes - 4096;

/** Groups that kube-apiserver stores as JSON, like custom resources. JSON tells an empty list from none. */
export const jsonGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

interface StoredSize {
  readonly resource: Pick<Resource, 'codec' | 'group' | 'isUnstructured' | 'registryPrefix'>;
  /** The object's name in its collection. */
  readonly name: string;
  /** As in `Put`. */
  readonly expected: number;
  /** Other verbs that create, as apply does, send what an update sends. */
  readonly isCreate: boolean;
  readonly object: KubeObject;
  /** The object as JSON, its revision included. */
  readonly jsonBytes: number;
}

/** Why etcd would not take the object; undefined if it would. */
export function storedSizeRefusal(size: StoredSize): ApiError | undefined {
  const { resource, name, expected, isCreate } = size;
  const keyBytes = Buffer.byteLength(`${resource.registryPrefix}/${name}`);
  const message = transactionBytes(keyBytes, valueBytes(size), expected, isCreate);
  if (message > maxMessageBytes) {
    return apiErrors.unknown(
      `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${message} vs. ${maxMessageBytes})`,
    );
  }
  return fieldBytes(message) + requestHeaderBytes > maxRequestBytes
    ? apiErrors.unknown('etcdserver: request is too large')
    : undefined;
}

/** The revision is not stored with the object: etcd counts it. */
function valueBytes({ resource, object, jsonBytes }: StoredSize): number {
  const { resourceVersion = '', ...metadata } = object.metadata;
  const { codec, group, isUnstructured } = resource;
  const isProtobuf = !isUnstructured && !jsonGroups.has(group);
  if (isProtobuf && codec.encodeProtobuf) return codec.encodeProtobuf({ ...object, metadata }).length;
  return jsonBytes - `"resourceVersion":"${resourceVersion}",`.length;
}

/** Field 100 with the request's number in it, nine bytes long as a rule. */
const requestHeaderBytes = 13;

/** "If the key is at this revision, put this value, else get it": the last part is left out on create. */
function transactionBytes(keyBytes: number, bytes: number, expected: number, isCreate: boolean): number {
  const key = fieldBytes(keyBytes);
  const compare = 2 + key + 1 + varintBytes(expected);
  const put = key + fieldBytes(bytes);
  const otherwise = isCreate ? 0 : fieldBytes(fieldBytes(key));
  return fieldBytes(compare) + fieldBytes(fieldBytes(put)) + otherwise;
}

/** A field of so many bytes, with its number and length. */
function fieldBytes(length: number): number {
  return 1 + varintBytes(length) + length;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}
