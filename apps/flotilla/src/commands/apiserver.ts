import { Command } from 'commander';
import {
  addAdmissionFlags,
  addCredentialFlags,
  type AdmissionFlags,
  type CredentialFlags,
} from '../apiserver-flags.ts';
import { addAuthenticationFlags, type AuthenticationFlags } from '../authentication-flags.ts';
import { addAuditFlags, type AuditFlags } from '../audit-flags.ts';
import { exampleText } from '../example-text.ts';
import { addConfigFlag, addLogLevel, addServerFlags, type ServerFlags } from '../server-flags.ts';

export interface ApiserverFlags extends ServerFlags, CredentialFlags, AdmissionFlags, AuthenticationFlags, AuditFlags {
  readonly bare?: boolean;
}

export function apiserverCommand(): Command {
  const command = addServerFlags(new Command('apiserver'))
    .description('Run a Kubernetes-compatible API server alone.')
    .option('--bare', 'run no controllers: no garbage collection, no deletion of namespaces, no service accounts')
    .addHelpText(
      'after',
      exampleText(
        'flotilla apiserver --memory --port 0 --write-kubeconfig dev.kubeconfig',
        'flotilla apiserver --data-dir .data/dev',
      ),
    );
  addAuditFlags(addAuthenticationFlags(addCredentialFlags(addAdmissionFlags(command))));
  return addLogLevel(addConfigFlag(command)).action(async (flags: ApiserverFlags) => {
    const { runServer } = await import('../apiserver/run-server.ts');
    await runServer(flags);
  });
}
