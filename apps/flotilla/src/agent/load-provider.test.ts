import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { ClusterProvider, CostProvider } from '@flotilla/member';
import type { ProviderFlags } from './agent-flags.ts';
import { priceFile } from '../price-file.ts';
import { loadProvider } from './load-provider.ts';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-test-'));
after(() => rmSync(folder, { recursive: true }));

function inFile(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function flags(propertyProvider: string, more: Partial<ProviderFlags> = {}): ProviderFlags {
  return {
    propertyProvider,
    useCostPropertiesInAzureProvider: 'true',
    useAvailableResPropertiesInAzureProvider: 'true',
    enableNamespaceCollectionInPropertyProvider: 'false',
    ...more,
  };
}

describe('a property provider', () => {
  test('is built in under its name', async () => {
    assert.equal(await loadProvider(flags('none')), undefined);
    assert.ok((await loadProvider(flags('default'))) instanceof ClusterProvider);
    assert.ok((await loadProvider(flags('azure'))) instanceof CostProvider);
  });

  test('is any module that exports start and collect', async () => {
    const module = `export function start() {} export function collect() { return { properties: {}, resources: {} }; }`;
    const provider = await loadProvider(flags(inFile('provider.mjs', module)));
    assert.deepEqual(await provider?.collect(new AbortController().signal), { properties: {}, resources: {} });
  });

  test('is refused with the file and the reason', async () => {
    const half = inFile('half.mjs', 'export function start() {}');
    await assert.rejects(
      loadProvider(flags(half)),
      /half\.mjs is not a property provider: it must export start and collect/,
    );
    await assert.rejects(loadProvider(flags('./nothing.mjs')), /cannot load the property provider \.\/nothing\.mjs: /);
    await assert.rejects(loadProvider(flags('no-such-package')), /cannot load the property provider no-such-package: /);
    const prices = inFile('wrong.yaml', 'prices: {D2: free}');
    await assert.rejects(
      loadProvider(flags('azure', { priceTable: prices })),
      /wrong\.yaml: prices\.D2 is not a price/,
    );
    await assert.rejects(loadProvider(flags('azure', { priceTable: join(folder, 'none') })), /ENOENT/);
  });
});

test('reads a price file again only when it has changed', async () => {
  const file = inFile('prices.yaml', 'prices: {D2: 0.1}');
  const source = priceFile(file);
  const first = await source.current();
  assert.equal(first.priceOf('D2', undefined), 0.1);
  assert.equal(await source.current(), first);
  writeFileSync(file, 'prices: {D2: 0.2}');
  utimesSync(file, new Date(), new Date(Date.now() + 5000));
  assert.equal((await source.current()).priceOf('D2', undefined), 0.2);
  writeFileSync(file, 'prices: [');
  utimesSync(file, new Date(), new Date(Date.now() + 9000));
  await assert.rejects(source.current(), { name: 'PriceTableError' });
});

describe('docs/property-providers.md', () => {
  const document = readFileSync(resolve(import.meta.dirname, '../../../../docs/property-providers.md'), 'utf8');
  const block = (language: string): string => document.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

  test('shows a provider that works', async () => {
    const provider = await loadProvider(flags(inFile('shown.mjs', block('js'))));
    const member = { list: () => Promise.resolve({ items: [{}, {}] }) };
    await provider?.start({ member } as never);
    const collected = await provider?.collect(new AbortController().signal);
    assert.equal(collected?.properties['example.com/harbours']?.value, '2');
  });

  test('shows a price table that works', async () => {
    const table = await priceFile(inFile('shown.yaml', block('yaml'))).current();
    assert.equal(table.priceOf('Standard_D2s_v5', 'westeurope'), 0.115);
    assert.equal(table.goodForMs, 720 * 3_600_000);
  });
});
