/** `flotilla up`: finds the fleet, and runs it here or in the background. Loads the code of fleets only to run one here. */
import type { UpFlags } from '../commands/up.ts';
import { recordFolder } from '../fleets/fleet-record.ts';
import { runningFleets } from '../fleets/running-fleets.ts';
import { UserError } from '../user-error.ts';
import type { IsTyped } from './hub-flags.ts';
import { planFleet, type FleetPlan } from './plan-fleet.ts';
import { eventPrinter } from './print-events.ts';
import { reportToParent, runInBackground, takeBackgroundLog } from './run-in-background.ts';
import { refuseFixedOptions, sameFleet } from './running-fleet.ts';

export async function up(flags: UpFlags, isTyped: IsTyped): Promise<void> {
  const log = takeBackgroundLog();
  const report = log === undefined ? eventPrinter(flags.output === 'json' ? 'json' : undefined) : reportToParent;
  try {
    const plan = await planFleet(flags, isTyped);
    const running = sameFleet(await runningFleets(), plan);
    if (running) {
      refuseFixedOptions(running, isTyped);
      return report({ ready: running });
    }
    if (flags.background && log === undefined) return await runInBackground(logOf(plan), report);
    const { runFleet } = await import('./run-fleet.ts');
    await runFleet({ plan, isTyped, report, log });
  } catch (error) {
    if (error instanceof UserError) report({ failed: error.message });
    throw error;
  }
}

/** The log of a fleet in the background. */
function logOf({ name, dataDirectory }: FleetPlan): { readonly log: string; readonly isInData: boolean } {
  const isInData = dataDirectory !== undefined;
  return { log: isInData ? `${dataDirectory}/up.log` : `${recordFolder(process.env)}/${name}.log`, isInData };
}
