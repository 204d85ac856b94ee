import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clientsFolder } from './clients-folder.ts';
import { createNormaliser } from './normalise.ts';
import type { Scenario } from './scenario.ts';
import type { Outcome } from './transcript.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

interface Target {
  /** Text of the kubeconfig that the commands use. */
  readonly kubeconfig: string;
  readonly url: string;
  /** Whether the server reads changed configurations only after a while. On ours they count at once, so nothing waits. */
  readonly needsPauses?: boolean;
}

const pause = / && sleep \d+$/;

const commandTimeoutMs = 30_000;

/** Runs the commands one after another, with an empty home directory, and returns their output. */
export async function runScenario(scenario: Scenario, target: Target): Promise<Outcome[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'flotilla-clients-')));
  const receiver = scenario.hasReceiver ? await startWebhookReceiver() : undefined;
  try {
    const { cwd, environment } = prepare(root, expanded(scenario, receiver, target), target);
    await runCommand(`kubectl config set-context --current --namespace=${scenario.namespace}`, cwd, environment);
    const normaliseValues = createNormaliser({ root, url: target.url, scenario });
    const normalise = (text: string): string => normaliseValues(receiver ? receiver.contract(text) : text);
    const outcomes: Outcome[] = [];
    for (const command of scenario.commands) {
      const { exitCode, stdout, stderr } = await runCommand(
        target.needsPauses ? command : command.replace(pause, ''),
        cwd,
        environment,
      );
      outcomes.push({ command, exitCode, stdout: normalise(stdout), stderr: normalise(stderr) });
    }
    return outcomes;
  } finally {
    await receiver?.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

function expanded(scenario: Scenario, receiver: WebhookReceiver | undefined, target: Target): Scenario {
  if (!receiver) return scenario;
  const expand = (text: string): string =>
    receiver.expand(text).replaceAll('SELF_URL', target.url).replaceAll('SELF_CA', authorityIn(target.kubeconfig));
  const files = scenario.files.map(({ path, content }) => ({ path, content: expand(content) }));
  return { ...scenario, files };
}

function authorityIn(kubeconfig: string): string {
  return /certificate-authority-data"?:\s*"?([\w+/=]+)/.exec(kubeconfig)?.[1] ?? '';
}

function prepare(root: string, scenario: Scenario, target: Target): { cwd: string; environment: NodeJS.ProcessEnv } {
  const cwd = join(root, 'folder');
  for (const folder of ['folder', 'home', 'tmp']) mkdirSync(join(root, folder));
  for (const file of scenario.files) {
    mkdirSync(dirname(join(cwd, file.path)), { recursive: true });
    writeFileSync(join(cwd, file.path), file.content);
  }
  const kubeconfig = join(root, 'kubeconfig');
  writeFileSync(kubeconfig, target.kubeconfig);
  const environment = {
    PATH: `${clientsFolder}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    KUBECONFIG: kubeconfig,
    TERM: 'dumb',
    TZ: 'UTC',
    LC_ALL: 'C',
  };
  return { cwd, environment };
}

function runCommand(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ exitCode: number; stdout: string; stderr: string }>();
  // Its own process group, so that a command that hangs can be killed with its children.
  const child = spawn('/bin/sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const timeout = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, commandTimeoutMs);
  child.on('error', reject);
  child.on('close', (code, signal) => {
    clearTimeout(timeout);
    if (code === null)
      reject(new Error(`ended by ${signal} after ${commandTimeoutMs} ms: ${command}\n${stdout}${stderr}`));
    else resolve({ exitCode: code, stdout, stderr });
  });
  return promise;
}
