import fc from 'fast-check';

/** The same random cases in every run. `npm run verify -- properties` gives another seed. */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_127) });
