"""Completion for PowerShell, which click lacks: the shell hands over the words, and gets a candidate a line."""

from __future__ import annotations

import os

from click.shell_completion import CompletionItem, ShellComplete

# Where there is no candidate PowerShell itself goes on with the names of files and folders.
SCRIPT = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $line, $cursor)
    $words = @($line.CommandElements | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { "$_" }
    })
    if ($word -and $words.Count -gt 1 -and $words[-1] -eq $word) { $words = $words[0..($words.Count - 2)] }
    $env:%(complete_var)s = 'powershell_complete'
    $env:COMP_WORDS = $words -join "`n"
    $env:COMP_WORD = $word
    try {
        %(prog_name)s | Where-Object { $_ } | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            if (-not $help) { $help = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
        }
    } finally {
        Remove-Item Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_WORD -ErrorAction SilentlyContinue
    }
}
"""


class PowerShell(ShellComplete):
    """Windows PowerShell 5.1 and PowerShell 7."""

    name = "powershell"
    source_template = SCRIPT

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is typed, without the program's name; and that one."""
        return os.environ.get("COMP_WORDS", "").split("\n")[1:], os.environ.get("COMP_WORD", "")

    def format_completion(self, item: CompletionItem) -> str:
        """A candidate and its help; nothing for a file."""
        return f"{item.value}\t{item.help or ''}" if item.type == "plain" else ""

    def complete(self) -> str:
        """All candidates, one a line."""
        return "\n".join(filter(None, super().complete().splitlines()))
