import { Command } from 'commander';
import { addCredentialOptions, type CredentialOptions } from '../credential-options.ts';
import { addLogLevel, addServerOptions, type ServerOptions } from '../server-options.ts';

export interface ApiserverOptions extends ServerOptions, CredentialOptions {
  readonly bare?: boolean;
  readonly allowPrivileged?: boolean;
  readonly disableAdmissionPlugins?: readonly string[];
}

export function apiserverCommand(): Command {
  const command = addServerOptions(new Command('apiserver'))
    .description('Runs the Kubernetes-compatible API server alone.')
    .option('--bare', 'leave out housekeeping: namespaces, garbage collection, service accounts are up to others')
    .option('--allow-privileged', 'let pods have privileged containers, which kube-apiserver refuses by default, too')
    .option('--disable-admission-plugins <names>', 'leave these out, separated by commas', namesIn);
  return addLogLevel(addCredentialOptions(command)).action(async (options: ApiserverOptions) => {
    const { runServer } = await import('../apiserver/run-server.ts');
    await runServer(options);
  });
}

function namesIn(text: string): string[] {
  return text.split(',').filter((name) => name !== '');
}
