"""The commands as they are typed: arguments, options, help. They import their work when they are called."""
