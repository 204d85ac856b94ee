import { defaultPolicySettings, parsePolicySettings, PolicySettingsError, type HubSettings } from '@flotilla/fleet';
import { JsonError, parseYaml, YamlError } from '@flotilla/kube';
import type { GuardOptions } from '../guard-options.ts';
import { readNamedFile } from '../named-file.ts';
import { UserError } from '../user-error.ts';

/** The admission policies that the flags ask for. */
export async function policySettingsIn(options: GuardOptions): Promise<Pick<HubSettings, 'admissionPolicies'>> {
  const { admissionPolicyManagerConfig: file } = options;
  if (options.enableAdmissionPolicyManager === 'false') return {};
  if (file === undefined || file === '') return { admissionPolicies: defaultPolicySettings };
  const text = await readNamedFile(file);
  try {
    return { admissionPolicies: parsePolicySettings(parseYaml(text).value) };
  } catch (error) {
    const isUserError = [PolicySettingsError, YamlError, JsonError].some((type) => error instanceof type);
    throw isUserError ? new UserError(`${file}: ${(error as Error).message}.`, { cause: error }) : error;
  }
}
