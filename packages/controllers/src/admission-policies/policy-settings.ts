/** Which admission policies a hub installs. The file has the keys of KubeFleet's policy manager, in any case. */
import { reservedNamespacePrefixes } from '@flotilla/api';
import { isJsonObject, quote, type JsonValue } from '@flotilla/kube';

/** A policy that is absent is not installed. */
export interface PolicySettings {
  readonly pods?: PodPolicySettings | undefined;
  readonly serviceAccounts?: AccountPolicySettings | undefined;
}

export interface PodPolicySettings {
  readonly reservedNamespacePrefixes: readonly string[];
}

export interface AccountPolicySettings extends PodPolicySettings {
  readonly whitelistedUsernames: readonly string[];
  readonly whitelistedUserGroups: readonly string[];
}

export const defaultPolicySettings: PolicySettings = {
  pods: { reservedNamespacePrefixes },
  serviceAccounts: { reservedNamespacePrefixes, whitelistedUsernames: [], whitelistedUserGroups: [] },
};

export class PolicySettingsError extends Error {
  override readonly name = 'PolicySettingsError';
}

const podKey = 'denyPodsAndReplicaSetsOutsideReservedNamespaces';
const accountKey = 'denyServiceAccountsAndTokenRequestsInReservedNamespaces';
const prefixKey = 'reservedNamespacePrefixes';
const userKeys = ['whitelistedUsernames', 'whitelistedUserGroups'] as const;

/** Throws a PolicySettingsError. */
export function parsePolicySettings(value: JsonValue): PolicySettings {
  const found = fieldsOf(value ?? {}, 'the file', [podKey, accountKey]);
  return { pods: podPolicyIn(found.get(podKey)), serviceAccounts: accountPolicyIn(found.get(accountKey)) };
}

function podPolicyIn(value: JsonValue | undefined): PodPolicySettings | undefined {
  if (value === undefined) return undefined;
  return { reservedNamespacePrefixes: prefixesIn(fieldsOf(value, podKey, [prefixKey]), podKey) };
}

function accountPolicyIn(value: JsonValue | undefined): AccountPolicySettings | undefined {
  if (value === undefined) return undefined;
  const fields = fieldsOf(value, accountKey, [prefixKey, ...userKeys]);
  const [whitelistedUsernames, whitelistedUserGroups] = userKeys.map((key) => usersIn(fields, key));
  return {
    reservedNamespacePrefixes: prefixesIn(fields, accountKey),
    whitelistedUsernames: whitelistedUsernames ?? [],
    whitelistedUserGroups: whitelistedUserGroups ?? [],
  };
}

/** A key that is unknown would leave a policy out, so it is an error. Null means absent, as in Go. */
function fieldsOf(value: JsonValue, where: string, keys: readonly string[]): Map<string, JsonValue> {
  if (!isJsonObject(value)) throw new PolicySettingsError(`${where} must be an object`);
  const fields = new Map<string, JsonValue>();
  for (const [name, field] of Object.entries(value)) {
    const key = keys.find((one) => one.toLowerCase() === name.toLowerCase());
    if (key === undefined) {
      throw new PolicySettingsError(`${where} has the unknown key ${quote(name)}; known are ${keys.join(', ')}`);
    }
    if (field !== undefined && field !== null) fields.set(key, field);
  }
  return fields;
}

const prefixPattern = /^[a-z0-9-]+$/;

function prefixesIn(fields: ReadonlyMap<string, JsonValue>, where: string): string[] {
  const prefixes = textsIn(fields, prefixKey);
  if (prefixes.length === 0) throw new PolicySettingsError(`${where}: at least one prefix must be specified`);
  const illegal = prefixes.find((prefix) => !prefixPattern.test(prefix));
  if (illegal === undefined) return prefixes;
  throw new PolicySettingsError(
    `${where}: the prefix ${quote(illegal)} contains illegal characters; only lowercase alphanumeric characters and hyphens are allowed`,
  );
}

/** They become texts in CEL. */
function usersIn(fields: ReadonlyMap<string, JsonValue>, key: string): string[] {
  const names = textsIn(fields, key);
  const illegal = names.find((name) => /[\\"'\p{Cc}]/u.test(name));
  if (illegal === undefined) return names;
  throw new PolicySettingsError(`${key}: ${quote(illegal)} contains quotes, backslashes or control characters`);
}

const maxTexts = 1000;

function textsIn(fields: ReadonlyMap<string, JsonValue>, key: string): string[] {
  const list = fields.get(key) ?? [];
  const texts = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  if (Array.isArray(list) && texts.length === list.length && texts.length <= maxTexts) return texts;
  throw new PolicySettingsError(`${key} must be a list of at most ${maxTexts} texts`);
}
