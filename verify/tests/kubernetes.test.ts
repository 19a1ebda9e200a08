import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { createGenerator } from 'ts-json-schema-generator';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/run.ts';
import type { Manifest } from '../../test/support/manifests.ts';
import { faultsOf, readManifests } from '../../test/support/manifests.ts';

test('the Kubernetes example has only fields that Kubernetes knows, with the right types', async () => {
  const byFile = await readManifests('deploy/kubernetes');
  const all = [...byFile].flatMap(([file, manifests]) => (file === 'kustomization.yaml' ? [] : manifests));
  const lint = await manifestLinter(all);
  expect(all.flatMap((one) => lint(one).map((fault) => `${one.kind} ${one.metadata.name}${fault}`))).toEqual(
    [],
  );
  const web = all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'web');
  expect(lint({ ...web, kind: 'Deployment', spec: { ...web?.spec, replica: 2 } } as Manifest)).not.toEqual(
    [],
  );
});

/**
 * Checks a manifest against the types of its kind in kubernetes-models.
 * It also reports unknown fields, for which Kubernetes itself only warns.
 */
async function manifestLinter(
  manifests: readonly Pick<Manifest, 'apiVersion' | 'kind'>[],
): Promise<(manifest: Pick<Manifest, 'kind'>) => string[]> {
  const kinds = new Map(manifests.map(({ apiVersion, kind }) => [kind, apiVersion]));
  const names = [...kinds.keys()];
  const text = [
    ...names.map(
      (kind) => `import type { I${kind} } from 'kubernetes-models/${kinds.get(kind) ?? ''}/${kind}';`,
    ),
    `export interface Manifests { ${names.map((kind) => `${kind}: I${kind};`).join(' ')} }`,
  ];
  // Inside node_modules, so that imports resolve.
  const folder = await mkdtemp(join(ROOT, 'node_modules/.manifests-'));
  try {
    const path = join(folder, 'manifests.ts');
    const tsconfig = join(folder, 'tsconfig.json');
    await writeFile(path, text.join('\n'));
    const compilerOptions = { module: 'NodeNext', strict: true, skipLibCheck: true, noEmit: true, types: [] };
    await writeFile(tsconfig, JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
    const options = { path, tsconfig, type: 'Manifests', skipTypeCheck: true, additionalProperties: false };
    const schema: object = createGenerator(options).createSchema('Manifests');
    const ajv = new Ajv({ strict: false, allErrors: true, schemas: [{ ...schema, $id: 'manifests' }] });
    return (manifest) =>
      faultsOf(ajv.getSchema(`manifests#/definitions/Manifests/properties/${manifest.kind}`), manifest);
  } finally {
    await rm(folder, { recursive: true });
  }
}
