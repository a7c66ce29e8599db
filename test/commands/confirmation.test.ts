import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { confirmChange, DeclinedError } from '../../src/commands/confirmation.ts';
import { InterruptedError, UsageError } from '../../src/core/errors.ts';

function terminal(isTTY = true) {
  return Object.assign(new PassThrough(), { isTTY });
}

/** Asks, and types the answer once the question is shown. */
function ask({ input = terminal(), output = terminal(), yes = false, question = 'Go on?' } = {}) {
  const abort = new AbortController();
  const options = { yes, input, output, signal: abort.signal, command: 'posts unschedule' };
  return { input, output, abort, answered: confirmChange(question, options) };
}

function shown(output: PassThrough): string {
  const text = (output.read() as Buffer | null)?.toString() ?? '';
  // Readline moves the cursor to the line's start and behind the question.
  return text.replace(/\u001b\[\d*[GJ]/gu, '');
}

describe('the question before a change', () => {
  it.each(['y', 'Y', 'yes', 'YES', ' yes '])('accepts %j as yes', async (answer) => {
    const { input, output, answered } = ask();
    input.write(`${answer}\n`);
    await expect(answered).resolves.toBeUndefined();
    expect(shown(output)).toBe(`Go on? [y/N] ${answer}\r\n`);
  });

  it.each(['', 'n', 'no', 'yess', 'y y', 'sure'])('accepts %j as no', async (answer) => {
    const { input, answered } = ask();
    input.write(`${answer}\n`);
    await expect(answered).rejects.toThrow(DeclinedError);
  });

  it('says that nothing was changed, with its own code and exit code', async () => {
    const { input, answered } = ask();
    input.write('no\n');
    await expect(answered).rejects.toMatchObject({
      name: 'DeclinedError',
      code: 'DECLINED',
      exitCode: 1,
      message: 'not confirmed; nothing was changed',
    });
  });

  it.each([
    ['Ctrl-C', (input: PassThrough) => input.write('\u0003')],
    ['Ctrl-D', (input: PassThrough) => input.write('\u0004')],
    ['the end of the input', (input: PassThrough) => input.end()],
    ['the end of the input in the middle of a yes', (input: PassThrough) => input.end('y')],
    ['an input that breaks', (input: PassThrough) => input.destroy(new Error('read EIO'))],
  ])('treats %s as no and ends the line', async (_, act) => {
    const { input, output, answered } = ask();
    act(input);
    await expect(answered).rejects.toThrow(DeclinedError);
    expect(shown(output)).toMatch(/^Go on\? \[y\/N\] y?\n$/u);
  });

  it('treats an input that has ended as no', async () => {
    const input = terminal();
    input.end();
    await input.resume().toArray();
    await expect(ask({ input }).answered).rejects.toThrow(DeclinedError);
  });

  it('stops when the process is asked to stop', async () => {
    const { abort, answered, output } = ask();
    abort.abort();
    await expect(answered).rejects.toThrow(
      new InterruptedError('stopped before the change was confirmed; nothing was changed'),
    );
    expect(shown(output)).toBe('Go on? [y/N] \n');
  });

  it('releases the input once it has its answer', async () => {
    const { input, answered } = ask();
    input.write('y\n');
    await answered;
    expect(input.isPaused()).toBe(true);
    expect(input.listenerCount('end')).toBe(new PassThrough().listenerCount('end'));
  });

  it('is not asked when the command line says yes', async () => {
    const { output, answered } = ask({ yes: true, input: terminal(false) });
    await expect(answered).resolves.toBeUndefined();
    expect(shown(output)).toBe('');
  });

  it.each([
    ['input', { input: terminal(false) }],
    ['output', { output: terminal(false) }],
  ])('needs --yes when the %s is not a terminal', async (_, streams) => {
    const { answered, output } = ask({ ...streams, question: 'Unschedule "Autumn"?' });
    const error = await answered.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      exitCode: 2,
      message:
        'posts unschedule makes a change and asks first, but there is no terminal to ask on: Unschedule "Autumn"? Add --yes to answer yes',
    });
    expect(shown(output)).toBe('');
  });

  it('shows terminal control sequences instead of executing them', async () => {
    const { input, output, answered } = ask({ question: 'Unschedule "\u001b[2J\u202eevil"?' });
    input.write('n\n');
    await expect(answered).rejects.toThrow(DeclinedError);
    expect(shown(output)).toBe('Unschedule "␛[2J�evil"? [y/N] n\r\n');
  });
});
