import { resolve } from 'node:path';
import { ClusterProvider, CostProvider, PriceTableError, type PropertyProvider } from '@flotilla/member';
import { importModule } from '../import-module.ts';
import { priceFile } from '../price-file.ts';
import { UserError } from '../user-error.ts';
import type { ProviderFlags } from './agent-flags.ts';

/** The property provider with a name of ours, or from a module. Undefined for `none`: the agent counts nodes and pods itself. */
export async function loadProvider(flags: ProviderFlags, authority?: string): Promise<PropertyProvider | undefined> {
  const options = {
    countsAvailable: flags.useAvailableResPropertiesInAzureProvider === 'true',
    authority,
  };
  switch (flags.propertyProvider) {
    case 'none':
    case '':
      return undefined;
    case 'default':
      return new ClusterProvider(options);
    case 'azure':
      return new CostProvider({ ...options, ...(await costOptions(flags)) });
    default:
      return importProvider(flags.propertyProvider);
  }
}

async function costOptions({ useCostPropertiesInAzureProvider, region, priceTable }: ProviderFlags) {
  const prices = priceTable === undefined ? undefined : priceFile(resolve(priceTable));
  try {
    await prices?.current();
  } catch (error) {
    if (!(error instanceof PriceTableError)) throw error;
    throw new UserError(`--price-table ${String(priceTable)}: ${error.message}.`, { cause: error });
  }
  return { reportsCosts: useCostPropertiesInAzureProvider === 'true', region, prices };
}

async function importProvider(name: string): Promise<PropertyProvider> {
  const provider: Partial<PropertyProvider> = await importModule(name, 'property provider');
  if (isProvider(provider)) return provider;
  throw new UserError(`${name} is not a property provider: it must export start and collect.`);
}

function isProvider(provider: Partial<PropertyProvider>): provider is PropertyProvider {
  return typeof provider.start === 'function' && typeof provider.collect === 'function';
}
