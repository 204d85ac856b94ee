import { Command } from 'commander';
import {
  addAdmissionFlags,
  addCredentialFlags,
  type AdmissionFlags,
  type CredentialFlags,
} from '../apiserver-flags.ts';
import { addLogLevel, addServerFlags, type ServerFlags } from '../server-flags.ts';

export interface ApiserverFlags extends ServerFlags, CredentialFlags, AdmissionFlags {
  readonly bare?: boolean;
}

export function apiserverCommand(): Command {
  const command = addServerFlags(new Command('apiserver'))
    .description('Runs the Kubernetes-compatible API server alone.')
    .option('--bare', 'leave out housekeeping: namespaces, garbage collection, service accounts are up to others');
  return addLogLevel(addCredentialFlags(addAdmissionFlags(command))).action(async (flags: ApiserverFlags) => {
    const { runServer } = await import('../apiserver/run-server.ts');
    await runServer(flags);
  });
}
