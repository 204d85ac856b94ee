/**
 * Refuses objects that etcd would refuse, with the messages of etcd and its client. Both count the whole transaction of
 * kube-apiserver, so the limits are exact to the byte.
 */
import { apiErrors, type ApiError, type KubeObject } from '@flotilla/kube';
import type { Resource } from './resource.ts';

/** etcd's default for `--max-request-bytes`. */
const maxRequestBytes = 1.5 * 1024 * 1024;

/** The limit of etcd's client. */
const maxMessageBytes = 2 * 1024 * 1024;

/**
 * Smaller JSON is not examined further: the difference is for the longest key. Protobuf is larger than JSON only with
 * thousands of empty fields; such objects are accepted.
 */
export const alwaysStoredBytes = maxRequestBytes - 4096;

/** Groups that kube-apiserver stores as JSON, like custom resources. JSON distinguishes an empty list from none. */
export const jsonGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

interface StoredSize {
  readonly resource: Pick<Resource, 'codec' | 'group' | 'isUnstructured' | 'registryPrefix'>;
  /** The object's name in its collection. */
  readonly name: string;
  /** As in `Put`. */
  readonly expected: number;
  /** Apply and other verbs that create send the transaction of an update. */
  readonly isCreate: boolean;
  readonly object: KubeObject;
  /** The object as JSON, including its revision. */
  readonly jsonBytes: number;
}

/** The error of etcd for the object; undefined if it would accept it. */
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

/** kube-apiserver does not store the resourceVersion: etcd keeps it. */
function valueBytes({ resource, object, jsonBytes }: StoredSize): number {
  const { resourceVersion = '', ...metadata } = object.metadata;
  const { codec, group, isUnstructured } = resource;
  const isProtobuf = !isUnstructured && !jsonGroups.has(group);
  if (isProtobuf && codec.encodeProtobuf) return codec.encodeProtobuf({ ...object, metadata }).length;
  return jsonBytes - `"resourceVersion":"${resourceVersion}",`.length;
}

/** Field 100 with the request's number, usually nine bytes. */
const requestHeaderBytes = 13;

/** "If the key is at this revision, put this value, else get it": a create omits the last part. */
function transactionBytes(keyBytes: number, bytes: number, expected: number, isCreate: boolean): number {
  const key = fieldBytes(keyBytes);
  const compare = 2 + key + 1 + varintBytes(expected);
  const put = key + fieldBytes(bytes);
  const elseBytes = isCreate ? 0 : fieldBytes(fieldBytes(key));
  return fieldBytes(compare) + fieldBytes(fieldBytes(put)) + elseBytes;
}

/** Bytes of a field with its number and length. */
function fieldBytes(length: number): number {
  return 1 + varintBytes(length) + length;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}
