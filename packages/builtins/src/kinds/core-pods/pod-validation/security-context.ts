/** Security contexts of containers and pods, and the profiles that both have. */
import {
  duplicate,
  groupIdProblems,
  invalid,
  notSupported,
  required,
  tooLong,
  userIdProblems,
  type FieldError,
} from '@flotilla/kube';
import type { SecurityContextFields } from '../container-fields.ts';
import { invalidInternal } from '../internal/internal-form.ts';
import type { Int64, PodSecurityContextFields, PodSpecFields, ProfileFields } from '../pod-fields.ts';
import { checkDescendingPath, checkSupported, invalidForEach, refusedPrivilege } from './checks.ts';
import { checkWindowsOptions } from './windows-options.ts';

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

export function checkSecurityContext(
  errors: FieldError[],
  path: string,
  context: SecurityContextFields | undefined,
  hostUsers: boolean,
): void {
  if (context === undefined) return;
  const { procMount } = context;
  if (context.privileged === true) errors.push(refusedPrivilege(`${path}.privileged`));
  checkUser(errors, `${path}.runAsUser`, context.runAsUser);
  checkGroup(errors, `${path}.runAsGroup`, context.runAsGroup);
  if (procMount !== undefined) {
    checkSupported(errors, `${path}.procMount`, procMount, ['Default', 'Unmasked']);
    if (hostUsers && procMount === 'Unmasked') {
      errors.push(invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'));
    }
  }
  checkSeccompProfile(errors, `${path}.seccompProfile`, context.seccompProfile);
  checkEscalation(errors, path, context);
  checkWindowsOptions(errors, `${path}.windowsOptions`, context.windowsOptions);
  checkAppArmorProfile(errors, `${path}.appArmorProfile`, context.appArmorProfile);
}

function checkEscalation(errors: FieldError[], path: string, context: SecurityContextFields): void {
  if (context.allowPrivilegeEscalation !== false) return;
  const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
  if (context.privileged === true) {
    errors.push(invalidInternal(path, 'SecurityContext', context, `${cannot} \`privileged\` to true`));
  }
  for (const capability of context.capabilities?.add ?? []) {
    if (capability !== 'CAP_SYS_ADMIN') continue;
    errors.push(invalidInternal(path, 'SecurityContext', context, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`));
  }
}

export function checkPodSecurityContext(errors: FieldError[], specPath: string, spec: PodSpecFields): void {
  const context = spec.securityContext ?? {};
  const path = `${specPath}.securityContext`;
  checkGroup(errors, `${path}.fsGroup`, context.fsGroup);
  checkUser(errors, `${path}.runAsUser`, context.runAsUser);
  checkGroup(errors, `${path}.runAsGroup`, context.runAsGroup);
  context.supplementalGroups?.forEach((group, i) => checkGroup(errors, `${path}.supplementalGroups[${i}]`, group));
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(`${path}.shareProcessNamespace`, true, detail));
  }
  checkSysctls(errors, `${path}.sysctls`, context.sysctls ?? [], spec);
  if (context.fsGroupChangePolicy !== undefined) {
    checkSupported(errors, `${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ['Always', 'OnRootMismatch']);
  }
  checkSeccompProfile(errors, `${path}.seccompProfile`, context.seccompProfile);
  checkWindowsOptions(errors, `${path}.windowsOptions`, context.windowsOptions);
  checkAppArmorProfile(errors, `${path}.appArmorProfile`, context.appArmorProfile);
  checkPolicies(errors, path, context);
}

function checkPolicies(errors: FieldError[], path: string, context: PodSecurityContextFields): void {
  const { supplementalGroupsPolicy, seLinuxChangePolicy } = context;
  if (supplementalGroupsPolicy !== undefined) {
    checkSupported(errors, `${path}.supplementalGroupsPolicy`, supplementalGroupsPolicy, ['Merge', 'Strict']);
  }
  if (seLinuxChangePolicy !== undefined) {
    checkSupported(errors, `${path}.seLinuxChangePolicy`, seLinuxChangePolicy, ['Recursive']);
  }
}

function checkUser(errors: FieldError[], path: string, user: Int64 | undefined): void {
  if (user !== undefined) invalidForEach(errors, path, user, userIdProblems(user));
}

function checkGroup(errors: FieldError[], path: string, group: Int64 | undefined): void {
  if (group !== undefined) invalidForEach(errors, path, group, groupIdProblems(group));
}

const sysctlName = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const maxSysctlLength = 253;

function checkSysctls(
  errors: FieldError[],
  path: string,
  sysctls: readonly { readonly name: string }[],
  spec: PodSpecFields,
): void {
  const seen = new Set<string>();
  sysctls.forEach(({ name }, i) => {
    const at = `${path}[${i}].name`;
    if (!name) errors.push(required(at));
    else if (name.length > maxSysctlLength || !sysctlName.test(name)) {
      const rule = `must have at most ${maxSysctlLength} characters and match regex`;
      errors.push(invalid(at, name, `${rule} ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`));
    } else if (seen.has(name)) errors.push(duplicate(at, name));
    const namespace = sysctlNamespace(name);
    if (spec.hostNetwork === true && namespace === 'net') {
      errors.push(invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    } else if (spec.hostIPC === true && namespace === 'ipc') {
      errors.push(invalid(at, name, "may not be specified when 'hostIPC' is true"));
    }
    seen.add(name);
  });
}

function checkSeccompProfile(errors: FieldError[], path: string, profile: ProfileFields | undefined): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  if (!type) errors.push(required(`${path}.type`, 'type is required when seccompProfile is set'));
  else checkSupported(errors, `${path}.type`, type, profileTypes);
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return;
    const detail = 'can only be set when seccomp type is Localhost';
    errors.push(invalidInternal(`${path}.localhostProfile`, 'SeccompProfile', profile, detail));
  } else if (localhostProfile === undefined) {
    errors.push(required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost'));
  } else checkDescendingPath(errors, `${path}.localhostProfile`, localhostProfile);
}

/** PATH_MAX of Linux, without the terminating zero. */
const maxProfileLength = 4095;

function checkAppArmorProfile(errors: FieldError[], path: string, profile: ProfileFields | undefined): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  if (type === 'Localhost') checkLocalhostProfile(errors, `${path}.localhostProfile`, localhostProfile);
  else if (!type) errors.push(required(`${path}.type`, 'type is required when appArmorProfile is set'));
  else if (!profileTypes.includes(type)) errors.push(notSupported(`${path}.type`, type, profileTypes));
  else if (localhostProfile !== undefined) {
    const detail = 'can only be set when AppArmor type is Localhost';
    errors.push(invalid(`${path}.localhostProfile`, localhostProfile, detail));
  }
}

function checkLocalhostProfile(errors: FieldError[], path: string, profile: string | undefined): void {
  if (profile === undefined) {
    return void errors.push(required(path, 'must be set when AppArmor type is Localhost'));
  }
  if (profile.trim() !== profile) errors.push(invalid(path, profile, 'must not be padded with whitespace'));
  else if (profile === '') errors.push(required(path, 'must be set when AppArmor type is Localhost'));
  if (profile.length > maxProfileLength) errors.push(tooLong(path, maxProfileLength));
}

const ipcSysctls: ReadonlySet<string> = new Set([
  'kernel.sem',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.shm',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
  'kernel.msg',
]);

/** The Linux namespace of a sysctl. Undefined for those of the whole node. */
function sysctlNamespace(name: string): 'ipc' | 'net' | undefined {
  const dotted = withDots(name);
  if (ipcSysctls.has(dotted) || dotted.startsWith('fs.mqueue.')) return 'ipc';
  return dotted.startsWith('net.') ? 'net' : undefined;
}

/** `net/ipv4/a.b` is the same as `net.ipv4.a/b`: the first separator decides. */
function withDots(name: string): string {
  const first = name.search(/[./]/);
  if (first === -1 || name[first] === '.') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}
