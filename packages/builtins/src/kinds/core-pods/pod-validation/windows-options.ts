import { invalid, dns1123SubdomainProblems, type FieldError } from '@flotilla/kube';
import { visitContainers, type PodSpecFields, type WindowsOptionsFields } from '../pod-fields.ts';
import { invalidForEach, refusedPrivilege } from './checks.ts';

const maxCredentialSpecKiB = 64;
const maxDomainLength = 256;
const maxUserLength = 104;

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const controlCharacter = /[\u0000-\u001f\u007f]/;
const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsDomain = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const forbiddenInUser = /["/\\:;|=,+*?<>@[\]]/;
const dotsAndSpaces = /^[. ]+$/;

export function checkWindowsOptions(
  errors: FieldError[],
  path: string,
  options: WindowsOptionsFields | undefined,
): void {
  if (options === undefined) return;
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  if (gmsaCredentialSpecName !== undefined) {
    const messages = dns1123SubdomainProblems(gmsaCredentialSpecName);
    invalidForEach(errors, `${path}.gmsaCredentialSpecName`, gmsaCredentialSpecName, messages);
  }
  if (gmsaCredentialSpec === '') {
    const detail = 'gmsaCredentialSpec cannot be an empty string';
    errors.push(invalid(`${path}.gmsaCredentialSpec`, '', detail));
  } else if (gmsaCredentialSpec !== undefined && gmsaCredentialSpec.length > maxCredentialSpecKiB * 1024) {
    const detail = `gmsaCredentialSpec size must be under ${maxCredentialSpecKiB} KiB`;
    errors.push(invalid(`${path}.gmsaCredentialSpec`, gmsaCredentialSpec, detail));
  }
  if (runAsUserName !== undefined) {
    invalidForEach(errors, `${path}.runAsUserName`, runAsUserName, userNameProblems(runAsUserName));
  }
}

/** `DOMAIN\\USER`, where the domain may be missing. */
function userNameProblems(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (controlCharacter.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  return [...(domain === undefined ? [] : domainProblems(domain)), ...userProblems(user)];
}

function domainProblems(domain: string): readonly string[] {
  const problems: string[] = [];
  if (domain.length >= maxDomainLength) {
    problems.push(`runAsUserName's Domain length must be under ${maxDomainLength} characters`);
  }
  if (!netBiosDomain.test(domain) && !dnsDomain.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  return problems;
}

function userProblems(user: string): readonly string[] {
  const problems: string[] = [];
  if (user === '') problems.push("runAsUserName's User cannot be empty");
  else if (user.length > maxUserLength) {
    problems.push(`runAsUserName's User length must not be longer than ${maxUserLength} characters`);
  }
  if (dotsAndSpaces.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (forbiddenInUser.test(user)) {
    problems.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return problems;
}

/** If one container is a host process, all must be, with the host's network. */
export function checkHostProcesses(errors: FieldError[], path: string, spec: PodSpecFields): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0;
  let hostProcesses = 0;
  visitContainers(spec, path, ({ securityContext }, containerPath) => {
    containers += 1;
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalid(`${containerPath}.securityContext.windowsOptions.hostProcess`, own, detail));
    }
    if (own ?? ofPod) hostProcesses += 1;
  });
  if (hostProcesses === 0) return;
  if (hostProcesses !== containers) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalid(path, '', detail));
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(invalid(`${path}.hostNetwork`, false, detail));
  }
  errors.push(refusedPrivilege(path, 'hostProcess containers are '));
}
